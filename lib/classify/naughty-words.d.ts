// The package brings no types: one list of words and phrases a language code.
declare module "naughty-words" {
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
