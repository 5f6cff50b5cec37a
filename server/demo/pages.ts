/** The pages of the demo's foot, as examples of what a shop writes. */

const pages: Readonly<Record<string, string>> = {
  about: `# About this shop

This page is an example. A shop says here who sells its books, since when, and what for.

The books of this demo are in the public domain, in the scripts of many languages.`,
  delivery: `# Delivery and payment

This page is an example: the demo charges nothing, and sends no book.

A shop says here where it sends its books to, what that costs, how long it takes, and how to pay.`,
  terms: `# Terms of sale

This page is an example. A shop says here between whom the contract is made, and when. The checkout links it beside the button that orders.`,
  privacy: `# Privacy

This page is an example. A shop says here what it stores about its visitors and buyers, why, for how long, and whom to ask.

The demo runs on your own machine, and tells nobody anything.`,
  imprint: `# Imprint

This page is an example. A shop says here its name, its address, and who is responsible. In many countries the law asks for it.`,
};

export const demoPages = Object.entries(pages).map(([slug, markdown]) => ({ slug, markdown }));
