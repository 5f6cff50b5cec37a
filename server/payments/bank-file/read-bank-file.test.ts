import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BankEntry } from './bank-entry.ts';
import { readBankFile } from './read-bank-file.ts';

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'fixtures', name));

const read = async (file: Buffer | string): Promise<BankEntry[]> =>
  await Array.fromAsync(readBankFile(Buffer.from(file as string)));

const faultOf = async (file: Buffer | string): Promise<string> => {
  const fault = await read(file).catch((error) => error);
  expect(fault).toMatchObject({ code: 'BANK_FILE_UNREADABLE' });
  return fault.detail;
};

const camt = (entries: string, version = '053.001.08'): string =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${version}"><Stmt>${entries}</Stmt></Document>`;
const booked = '<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-23</Dt></BookgDt>';

describe('a CAMT.053 statement', () => {
  test('of version 001.02 has its entries, each transfer of a batch, and what was reversed', async () => {
    const day = '2026-11-23';
    expect(await read(fixture('camt.053.001.02.xml'))).toEqual([
      {
        ...{ day, id: '2026112300001', cents: 1299, currency: 'EUR', kind: 'credit' },
        texts: ['NOTPROVIDED', 'Jörg M&ller', 'Buch von Jane Austen, Bestellung k7m3 pqrt', 'GUTSCHRIFT'],
      },
      { day, id: '', cents: 1550, currency: 'EUR', kind: 'credit', texts: ['E-1', 'ACDEFGHJ'] },
      { day, id: '', cents: 2450, currency: 'EUR', kind: 'credit', texts: ['NMPQRTUW'] },
      { day: '2026-11-24', id: '', cents: 1299, currency: 'EUR', kind: 'reversal', texts: ['K7M3PQRT'] },
      { day: '2026-11-24', id: '', cents: 30000, currency: 'EUR', kind: 'debit', texts: ['Miete'] },
    ]);
  });

  test('of version 001.08 with a prefix has the same, and a credit that is pending or was returned is none', async () => {
    const found = await read(fixture('camt.053.001.08.xml'));

    expect(found.map(({ cents, kind, texts }) => [cents, kind, texts.join()])).toEqual([
      [1299, 'credit', 'Ada Lovelace,K7M3 PQRT'],
      [900, 'pending', 'ACDEFGHJ'],
      [900, 'reversal', 'Refund NMPQRTUW'],
    ]);
  });

  test('of versions 001.02 to 001.08 is read, and no other message, DTD, entity or damaged file', async () => {
    const entry = `<Ntry><Amt Ccy="EUR">9</Amt>${booked}</Ntry>`;
    for (const version of [2, 3, 4, 5, 6, 7, 8]) {
      expect(await read(camt(entry, `053.001.0${version}`))).toMatchObject([{ cents: 900, kind: 'credit' }]);
    }
    for (const version of ['052.001.08', '054.001.08', '053.001.01', '053.001.13']) {
      expect(await faultOf(camt(entry, version))).toContain(`The XML is camt.${version}.`);
    }
    expect(await faultOf('<html></html>')).toContain('The XML is no statement.');
    const bomb = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>';
    expect(await faultOf(camt(entry).replace('<Document', `${bomb}<Document`))).toContain('DTD');
    expect(await faultOf(camt(entry.replace('9<', '&nine;<')))).toContain('Invalid character entity');
    expect(await faultOf(camt(entry).slice(0, -30))).toContain('The XML is damaged');
    for (const inside of ['<a>'.repeat(200), `<${'a'.repeat(301)}/>`])
      expect(await faultOf(camt(inside))).toContain('nested deeper');
    for (const part of ['<TxDtls/>', '<a b=""/>'])
      expect(await faultOf(camt(`<Ntry>${part.repeat(210_000)}</Ntry>`))).toContain('more parts');
    expect(await read(camt(entry.repeat(2) + '<a/>'.repeat(100_000) + entry.repeat(8)))).toHaveLength(10);
    expect(await read(camt(entry.replace('9<', 'nine<')))).toMatchObject([{ kind: 'unreadable' }]);
    for (const yes of ['true', '1'])
      expect(await read(camt(entry.replace('</Ntry>', `<RvslInd>${yes}</RvslInd></Ntry>`)))).toMatchObject([
        { kind: 'reversal' },
      ]);
  });

  test('of a batch whose transfers have no amounts is one entry, and a debit in a batch of credits is none', async () => {
    const reference = (text: string) => `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
    const transfers = `<TxDtls>${reference('A')}</TxDtls><TxDtls>${reference('B')}</TxDtls>`;
    const amount = '<Amt Ccy="EUR">4</Amt>';
    const mixed = `<TxDtls>${amount}<CdtDbtInd>DBIT</CdtDbtInd></TxDtls><TxDtls>${amount}</TxDtls>`;
    const entry = (inside: string) => `<Ntry>${amount}${booked}<NtryDtls>${inside}</NtryDtls></Ntry>`;

    expect(await read(camt(entry(transfers)))).toMatchObject([{ cents: 400, texts: ['A', 'B'] }]);
    expect(await read(camt(entry(mixed)))).toMatchObject([{ kind: 'debit' }, { kind: 'credit' }]);
  });

  test('of a batch with a long text, or with many, is read within the memory of the store', async () => {
    const texts = '<RmtInf><Ustrd>x</Ustrd></RmtInf>'.repeat(20_000);
    const others = Array.from({ length: 100 }, (_, at) => `<RmtInf><a${at}>x</a${at}></RmtInf>`).join('');
    const transfers = '<TxDtls><Amt>1</Amt></TxDtls>'.repeat(2);

    const found = await read(camt(`<Ntry>${booked}${texts}${others}${transfers}</Ntry>`));

    expect(found.map(({ texts }) => texts.map(({ length }) => length))).toEqual(
      Array(2).fill([1_000, ...Array(19).fill(1)]),
    );
  });
});

test.each(['utf-16le', 'utf-16be'])('a file in %s is read by its mark, CSV and XML', async (encoding) => {
  const encoded = (text: string) => {
    const file = Buffer.from(`\uFEFF${text}`, 'utf16le');
    return encoding === 'utf-16le' ? file : file.swap16();
  };

  expect(await read(encoded('Datum;Text;Betrag\n1.2.2026;Jörg;3,00\n'))).toMatchObject([
    { day: '2026-02-01', cents: 300, texts: ['Jörg'] },
  ]);
  expect(await read(encoded(camt(`<Ntry><Amt Ccy="EUR">9</Amt>${booked}</Ntry>`)))).toMatchObject([
    { cents: 900, kind: 'credit' },
  ]);
});

describe('a CSV file', () => {
  const first = { day: '2026-11-23', cents: 101_299, currency: 'EUR', kind: 'credit' };

  test.each([
    [
      'sparkasse.csv',
      'Bestellung k7m3 pqrt; danke für "Emma"',
      'Jörg Müller',
      ['pending', 'reversal', 'debit'],
    ],
    ['dkb.csv', 'Bestellung K7M3PQRT', 'Jörg Müller', ['pending']],
    ['ing.csv', 'Bestellung K7M3PQRT', 'Jörg Müller', []],
    ['n26.csv', 'Order K7M3PQRT', 'Jörg Müller', ['debit']],
    ['revolut.csv', 'Payment from J Müller, K7M3PQRT', undefined, ['pending', 'reversal']],
    ['wise.csv', 'K7M3 PQRT', 'JÖRG MÜLLER', ['credit']],
  ])('as %s has its entries', async (name, reference, payer, kinds) => {
    const [entry, ...others] = await read(fixture(name));

    expect(entry).toMatchObject(first);
    expect(entry?.texts).toEqual(expect.arrayContaining([reference, payer].filter(Boolean)));
    expect(others.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('may have amounts in any usual form', async () => {
    const amounts: [text: string, cents: number, currency?: string][] = [
      ['12,99', 1299],
      ['12.99', 1299],
      ['1.234,56', 123_456],
      ['1,234.56', 123_456],
      ["1'234.50", 123_450],
      ['1 234,5', 123_450],
      ['1.234', 123_400],
      ['+12,99 €', 1299, 'EUR'],
      ['12,99 CHF', 1299, 'CHF'],
    ];
    for (const [text, cents, currency = ''] of amounts) {
      const file = `Date;Reference;Amount\n01/12/2026;x;"${text}"\n`;
      expect(await read(file), text).toMatchObject([{ day: '2026-12-01', cents, currency, kind: 'credit' }]);
    }
    expect(await read('Datum\tHaben (EUR)\tText\n1.2.2026\t\tx\n1.2.2026\t3,00\ty\n')).toMatchObject([
      { day: '2026-02-01', cents: 300, currency: 'EUR', texts: ['y'] },
    ]);
    const unread = ['ten', '1.2345', '1e3', '0x10', '(12,99)', '12,99-', '12,99 S', '9'.repeat(400), '١٢,٩٩'];
    for (const text of unread) {
      const found = await read(`Date;Reference;Amount\n1/1/2026;x;"${text}"\n`);
      expect(found, text).toMatchObject([{ cents: 0, kind: 'unreadable' }]);
    }
    const unsigned = 'Date;Name;Debit/credit;Amount (EUR)\n20261123;x;Debit;12,99\n20261123;x;Credit;12,99\n';
    expect((await read(unsigned)).map(({ kind }) => kind)).toEqual(['debit', 'credit']);
  });

  test('has no entry whose amount its sender has written', async () => {
    const heads = 'Date;Reference;Amount;Currency\n';
    for (const text of ['K7M3PQRT;12,99;EUR', 'K7M3PQRT;', ';0,00'])
      expect(await read(`${heads}1/1/2026;${text};0,01;EUR\n`)).toMatchObject([{ kind: 'unreadable' }]);
  });

  test('has no NUL, which a database may refuse, and no day that is long', async () => {
    const file = `Date;Reference;Amount\n2026-\0${'x'.repeat(9_000)};a\0b;1\n`;

    expect(await read(file)).toMatchObject([{ day: '2026-xxxxx', texts: ['ab'] }]);
  });

  test('without heads, in a zip archive or damaged is refused with the reason', async () => {
    expect(await faultOf('a;b\n1;2\n')).toContain('No line has the heads');
    expect(await faultOf('')).toContain('No line has the heads');
    expect(await faultOf('PK\u0003\u0004')).toContain('zip archive');
    expect(await faultOf('Date;Reference;Amount\n1/1/2026;"x;1\n')).toContain('The CSV is damaged');
    const cells = ';'.repeat(200_000);
    for (const file of [
      `Date;Reference;Amount\n${cells}\n`,
      `Date;Reference;Amount;${cells}\n1/1/2026;x;1\n`,
    ])
      expect(await faultOf(file)).toContain('A line is longer');
    // A pattern that looks at the end of a head again and again would take minutes.
    expect(await faultOf(`${'('.repeat(99_000)}\n`.repeat(20))).toContain('No line has the heads');
  });
});
