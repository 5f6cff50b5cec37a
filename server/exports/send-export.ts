import { finished, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExportFile } from '../access/act.ts';
import { dayText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';

export type SendExport = ReturnType<typeof openExports>;

export function openExports() {
  const slots = openExportSlots();
  return async (request: FastifyRequest, reply: FastifyReply, file: ExportFile) => {
    const { name, ending, type, read } = file;
    const fileName = `${[...name, dayText(Date.now())].join('-')}.${ending}`;
    reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`);
    if (request.method === 'HEAD') return reply.send('');
    slots.take(reply);
    return reply.send(Readable.from(await read(), { objectMode: false }));
  };
}

/** An export reads the database for as long as its client takes. With this limit, exports leave threads for the desk's lists. */
const maxExports = 4;
const retryAfterS = 30;

export function openExportSlots() {
  let taken = 0;
  return {
    take({ raw }: Pick<FastifyReply, 'raw'>): void {
      if (taken >= maxExports) throw new Problem('BUSY', { retryAfterS });
      taken += 1;
      // `finished` also notices a client that went away before this call, for which no event comes.
      finished(raw, () => {
        taken -= 1;
      });
    },
  };
}
