/** The query of a page, as Next passes it. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** One parameter: the last of a repeated one, undefined when it is absent. */
export async function parameter(params: SearchParams, name: string): Promise<string | undefined> {
  const value = (await params)[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
