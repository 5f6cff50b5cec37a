/** An image that a book cannot have. The message is a sentence for the owner. */
export class WrongImage extends Error {}
