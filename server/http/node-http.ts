/** An `import` of node:http reads all that it exports, and so loads Node's client for WebSockets: 12 MB. */
export const { STATUS_CODES, request } = process.getBuiltinModule('node:http');
