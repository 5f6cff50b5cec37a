import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Sends bytes to the store, and reads until it closes the connection.
 * @param origin such as `http://127.0.0.1:3000`.
 */
export async function exchange(origin: string, bytes: string): Promise<string> {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' }).setEncoding('utf8');
  socket.write(bytes);
  return await text(socket);
}
