import { afterEach, expect, test } from 'vitest';
import { openSmtpServer, type SmtpOptions, type TestSmtpServer } from '../testing/smtp-server.ts';
import type { Message } from './messages.ts';
import { openTransport, type Transport } from './transport.ts';

const message: Message = {
  messageId: '<receipt.o1@shop.example>',
  from: { name: 'The Shop', address: 'orders@shop.example' },
  to: { name: 'Ada', address: 'ada@example.com' },
  subject: 'Your order',
  text: 'Thank you.',
  html: '<p>Thank you.</p>',
};

let smtp: TestSmtpServer;
let transport: Transport;
async function open({
  login = '',
  host = '127.0.0.1',
  ...options
}: SmtpOptions & { login?: string; host?: string } = {}) {
  smtp = await openSmtpServer(options);
  transport = openTransport(new URL(`smtp://${login}${host}:${smtp.url.port}`));
}
afterEach(async () => {
  transport.close();
  await smtp.close();
});

test.each([
  ['is sent to a server of this machine', '127.0.0.1', ['secret']],
  // An address of this machine that the store does not treat as loopback.
  ['is not sent to another server that does not offer TLS', '0.0.0.0', []],
])('the password %s', async (_, host, sent) => {
  const passwords: unknown[] = [];
  await open({ login: 'shop:secret@', host, onLogin: (password) => passwords.push(password) });

  const sending = transport.send(message);

  if (sent.length > 0) await sending;
  else await expect(sending).rejects.toMatchObject({ concerns: 'server' });
  expect(passwords).toEqual(sent);
  expect(smtp.mails).toHaveLength(sent.length);
});

test('the reply of a server is shown without the login that it repeats', async () => {
  const plain = btoa('\0shop-user\0se@cret');
  await open({
    login: 'shop-user:se%40cret@',
    refuseLogin: { code: 535, message: `AUTH PLAIN ${plain}: wrong password se@cret of shop-user` },
  });
  const shown = { message: '535 AUTH PLAIN …: wrong password … of …' };

  await expect(transport.checkLogin()).rejects.toMatchObject(shown);
  await expect(transport.send(message)).rejects.toMatchObject(shown);
});
