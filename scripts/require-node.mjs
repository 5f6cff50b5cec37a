// Written for any Node, since it is what tells an older one apart. `npm` puts node_modules/.bin first, where the
// platform's package has put Node 24; on a platform without such a package the machine's own Node runs this.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `This needs Node 24 or newer, and Node ${process.versions.node} is what runs here: install Node 24, or run npm ci without --omit=optional.`,
  );
  process.exit(1);
}
