// An error between the service and the endpoint that it reads from, as a sentence for people.

export class SourceError extends Error {}
