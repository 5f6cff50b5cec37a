import { expect, test } from 'vitest';
import { renderPage } from './markdown.ts';

const htmlOf = (markdown: string) => renderPage(markdown).html;

test('HTML in Markdown is text, links lead to http, https, mailto and the shop alone, and no image is loaded', () => {
  expect(
    htmlOf(
      '# A\n\n<script>alert(1)</script> <b onclick="x">b</b>\n\n<iframe src="https://x.example"></iframe>',
    ),
  ).toBe(
    '<h1 dir="auto">A</h1>\n<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt; &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>\n' +
      '<p dir="auto">&lt;iframe src=&quot;https://x.example&quot;&gt;&lt;/iframe&gt;</p>\n',
  );
  const wrong = ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', '&#106;avascript:alert(1)', 'java\\script:x'];
  wrong.push(
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    ...['//evil.example', '/\\evil.example', '/\\\\evil.example', '/&bsol;evil.example', '/%5cevil.example'],
    ...['/&sol;evil.example', '/&#47;evil.example', '\\\\evil.example', 'orders'],
    '#top',
    'tel:1',
  );
  for (const address of wrong) expect(htmlOf(`[link](${address}) <${address}>`), address).not.toContain('<a');
  const right = [
    '/',
    '/withdrawal?a#b',
    '/&Tab;/evil.example',
    'https://a.example/?b=1&c',
    'http://a.example',
    'MAILTO:a@b.example',
  ];
  expect(right.map((address) => htmlOf(`[link](${address})`).match(/href="[^"]*"/)?.[0])).toEqual([
    ...['href="/"', 'href="/withdrawal?a#b"', 'href="/%09/evil.example"'],
    'href="https://a.example/?b=1&amp;c"',
    'href="http://a.example"',
    'href="MAILTO:a@b.example"',
  ]);
  expect(htmlOf('A ![<b>picture](https://a.example/a.png)')).toBe('<p dir="auto">A &lt;b&gt;picture</p>\n');
  expect(htmlOf('[a](https://a.example "x\\" onmouseover=\\"y")')).toContain(
    'title="x&quot; onmouseover=&quot;y"',
  );
});

test('the first heading is the title and the one h1, and no other leaves out a level', () => {
  const { title, html } = renderPage(
    '## A *shop* & `its`\npage\n\n# One\n\n#### Two\n\n> # Three\n\n###### Four\n',
  );

  expect(title).toBe('A shop & its');
  expect(html.match(/<h\d/g)).toEqual(['<h1', '<h2', '<h3', '<h2', '<h3']);
  expect(['', 'Text\n', '#\n\n# \n', '> # Quoted'].map((text) => renderPage(text).title)).toEqual([
    '',
    '',
    '',
    '',
  ]);
  expect(renderPage('> # Quoted\n\n# A').html.match(/<h\d/g)).toEqual(['<h2', '<h1']);
});

test('100 KB of what parsers fear is shown within seconds', () => {
  const size = 100 * 1024;
  const fill = (text: string) => text.repeat(size / text.length);
  const lists = Array.from({ length: 440 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n');
  const table = `${'a|'.repeat(1_000)}\n${'-|'.repeat(1_000)}\n${'x\n'.repeat(48_000)}`;
  const feared = [
    lists,
    table,
    ...['- ', '>', '[', '[a](', '![', '*a_ ', '`', '<!--', '[a\n', '&#'].map(fill),
  ];
  const startedAt = performance.now();

  for (const text of feared) renderPage(text.slice(0, size));

  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
