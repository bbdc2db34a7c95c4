/** The types of a schema, as `frontend/src/charts/view.ts` has them. */
export function typesOf(schema: string): Promise<string>;
