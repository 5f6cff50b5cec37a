/** Examples of requests and responses in the description of the API, from those of the schemas. */

type Schema = {
  examples?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  enum?: readonly unknown[];
  type?: string;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
};

/**
 * @returns a value of the schema: its own example, or one put together from its parts; undefined where a part has neither
 * an example nor a value that it always may have.
 */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  if (schema.type === 'array' && schema.items) {
    const item = exampleOf(schema.items);
    return item === undefined ? undefined : [item];
  }
  if (schema.type !== 'object' || !schema.properties) return undefined;
  const parts = Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part)] as const);
  return parts.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(parts);
}

/**
 * @param parameters the schema of a query, of headers or of the parts of a path, whose examples have a value for each.
 * @returns the same with the examples at the parameters, where the description has them.
 */
export function withExamplesOfEach<Parameters extends Schema>(parameters: Parameters): Parameters {
  const values = (parameters.examples?.[0] ?? {}) as Record<string, unknown>;
  const properties = Object.entries(parameters.properties ?? {}).map(([name, schema]) => [
    name,
    name in values ? { ...schema, examples: [values[name]] } : schema,
  ]);
  return { ...parameters, properties: Object.fromEntries(properties) };
}
