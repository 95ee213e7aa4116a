// Styles are imported for their effect on the bundle: they have no types.
declare module '*.css';
