import { type Static, Type } from 'typebox';
import { Term } from '../field-formats.ts';
import { PageCursor, PageLimit, SimilarSpelling } from '../page-parameters.ts';

/** A customer as the owner sees them. */
export const DeskCustomer = Type.Object(
  {
    _id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    photo: Type.String({ description: 'An https: address, or empty.' }),
    createdAt: Type.String({ description: 'When they signed in first. ISO 8601, UTC.' }),
    lastSeenAt: Type.Union([
      Type.String({ description: 'When a session was used last, to about an hour. ISO 8601, UTC.' }),
      Type.Null({ description: 'Without a session.' }),
    ]),
    isBlocked: Type.Boolean(),
    orders: Type.Integer(),
    unsentOrders: Type.Integer({ description: 'Those that are to be sent.' }),
    revenue: Type.Number({ description: 'What they paid in all, without withdrawn orders, two decimals.' }),
  },
  { title: 'DeskCustomer' },
);
export type DeskCustomer = Static<typeof DeskCustomer>;

const Sought = (description: string) =>
  Type.Optional(Type.String({ format: 'term', minLength: 3, maxLength: 320, description }));

/** The query parameters of `GET /desk/api/customers`, of which one is there, or `sort`. */
export const CustomersQuery = Type.Object({
  q: Sought(
    'The beginning of an e-mail, of a name or of its last word, at least three characters, or an id. The case of ASCII letters is ignored.',
  ),
  email: Sought('Another name of `q`.'),
  spelling: SimilarSpelling('of names alone, among the 20,000 customers who came last'),
  sort: Type.Optional(
    Type.Enum(['newest', 'best'], {
      description: 'In place of a search: the ten customers who came last, or who paid most.',
    }),
  ),
});

/** The customer's id in the path. */
export const CustomerParams = Type.Object({
  id: Term({ maxLength: 64, description: 'The customer’s `_id`.' }),
});

/** The query parameters of `GET /desk/api/customers/{id}/orders`. */
export const CustomerOrdersQuery = Type.Object({
  limit: PageLimit(),
  cursor: PageCursor(64),
});

/** The response of `POST /desk/api/customers/{id}/sign-out`. */
export const EndedSessions = Type.Object(
  { sessions: Type.Integer({ description: 'How many ended.' }) },
  { title: 'EndedSessions' },
);

/** The response of `POST /desk/api/customers/{id}/erase`. */
export const ErasedCustomer = Type.Object(
  {
    erased: Type.Literal(true),
    orders: Type.Integer({ description: 'How many orders lost the person; 0 when it is repeated.' }),
  },
  { title: 'ErasedCustomer' },
);
export type ErasedCustomer = Static<typeof ErasedCustomer>;

/** The response of `GET /desk/api/customers/{id}/export`, for the description. */
export const customerExportExample = {
  customer: {
    _id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
    issuer: 'https://identity.example',
    subject: '248289761001',
    email: 'reader@example.com',
    name: 'A Reader',
    photo: '',
    isEmailVerified: true,
    createdAt: '2026-10-02T18:30:00.000Z',
    blockedAt: null,
  },
  sessions: [],
  images: [],
  orders: [],
  activity: [],
};
