import { constants, setPriority } from 'node:os';
import { Problem } from '../http/problems.ts';
import type { ImageJob, JobReply } from './image-worker.ts';

// Visitors come before pictures on a busy processor. The priority is set first, because a thread takes that of its parent.
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // A filter of system calls, such as systemd's @resources, may forbid it. Pictures matter more.
}

/** The jobs need sharp. If it cannot be loaded, each job reports why: a crash would only write to standard error. */
const loading = Promise.all([import('./resize-upload.ts'), import('./draw-card.ts')]);
loading.catch(() => {});

process.on('message', async (job: ImageJob) => {
  const reply = await run(job).then((result): JobReply => ({ result }), faultOf);
  // The parent may have ended meanwhile; without this callback the error would be printed.
  process.send?.(reply, undefined, undefined, () => {});
});
// `process.exit` would wait for the threads of the decoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function run(job: ImageJob) {
  const [{ resizeUpload }, { drawCard, drawCoverOf }] = await loading;
  if ('file' in job) return await resizeUpload(job.file);
  return 'card' in job ? await drawCard(job.card) : await drawCoverOf(job.cover);
}

function faultOf(error: unknown): JobReply {
  // sharp's own message has many lines about how to install it.
  const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
  const { code = 'UNAVAILABLE', detail }: Partial<Problem> = error instanceof Problem ? error : {};
  return { reason, code, ...(detail && { detail }) };
}
