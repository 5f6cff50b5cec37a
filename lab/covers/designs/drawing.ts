/** The SVG shapes of the covers, on a sheet of 800 by 1200. */

/** In SVG units. */
export const sheet = { width: 800, height: 1200 } as const;

/** @returns the number with at most one decimal. */
function fmt(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Template tag for path data: rounds the numbers to one decimal. */
export function d(parts: TemplateStringsArray, ...values: readonly (number | string)[]): string {
  return String.raw(
    { raw: parts },
    ...values.map((value) => (typeof value === 'number' ? fmt(value) : value)),
  );
}

/** A rectangle as large as the sheet. */
export function ground(fill: string): string {
  return rect(0, 0, sheet.width, sheet.height, fill);
}

export function rect(x: number, y: number, width: number, height: number, fill: string): string {
  return d`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
}

/** The outline of a rectangle; the line is centred on its edge. */
export function frame(
  x: number,
  y: number,
  width: number,
  height: number,
  stroke: string,
  weight: number,
): string {
  return d`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="${stroke}" stroke-width="${weight}"/>`;
}

export function circle(x: number, y: number, radius: number, fill: string): string {
  return d`<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
}

export function ring(x: number, y: number, radius: number, stroke: string, weight: number): string {
  return d`<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${stroke}" stroke-width="${weight}"/>`;
}

/** A horizontal line; `y` is its middle. */
export function rule(x1: number, x2: number, y: number, stroke: string, weight: number): string {
  return rect(x1, y - weight / 2, x2 - x1, weight, stroke);
}

export function fill(data: string, colour: string): string {
  return `<path fill="${colour}" d="${data}"/>`;
}

export function stroke(data: string, colour: string, weight: number): string {
  return d`<path fill="none" stroke="${colour}" stroke-width="${weight}" stroke-linecap="round" stroke-linejoin="round" d="${data}"/>`;
}

/** A dot as path data, so that one path can have many of them. */
export function dot(x: number, y: number, radius: number): string {
  return d`M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

/** A pointed leaf as path data. It starts at (x, y) and points towards `angle` in radians. */
export function leaf(x: number, y: number, angle: number, length: number, width: number): string {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (along: number, aside: number) =>
    d`${x + along * cos - aside * sin} ${y + along * sin + aside * cos}`;
  return `M${at(0, 0)}Q${at(length * 0.42, width)} ${at(length, 0)}Q${at(length * 0.42, -width)} ${at(0, 0)}Z`;
}
