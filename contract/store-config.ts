import { type Static, Type } from 'typebox';

/** What the server writes into the page for the browser app: a JSON data block with the id `store-config`. */
export const StoreConfig = Type.Object({
  name: Type.String(),
  providerName: Type.String(),
  apiHost: Type.String({ description: 'Empty: the origin of the page.' }),
  imageHost: Type.Object({
    url: Type.String({
      description: "Where uploads go: the store's own /1/upload, or an imgbb-compatible address.",
    }),
    key: Type.String(),
  }),
});
export type StoreConfig = Static<typeof StoreConfig>;
