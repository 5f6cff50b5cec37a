import { type Static, Type } from 'typebox';

/** The browser app's configuration. The server writes it into the page, as a JSON block with the id `store-config`. */
export const StoreConfig = Type.Object({
  name: Type.String(),
  providerName: Type.String(),
  apiHost: Type.String({ description: 'The origin of the API; empty for the origin of the page.' }),
  timeZone: Type.String({ description: 'The zone of the shop’s clocks, such as Europe/Berlin.' }),
  hasDelivery: Type.Boolean({ description: 'The checkout asks where to send the book.' }),
  sendsMail: Type.Boolean({ description: 'Buyers get mail about their orders.' }),
  note: Type.Optional(
    Type.String({ description: 'A line of the owner on delivery and payment, for the page of each book.' }),
  ),
  shopEmail: Type.Optional(Type.String({ description: 'Where a customer may write.' })),
  imageHost: Type.Object({
    url: Type.String({
      description: "The address for uploads: the store's /1/upload, or an imgbb-compatible host.",
    }),
  }),
});
export type StoreConfig = Static<typeof StoreConfig>;
