/** Imports parts of node:http without `import`, which reads all exports, and so loads Node's WebSocket client: 12 MB. */
export const { STATUS_CODES, request } = process.getBuiltinModule('node:http');
