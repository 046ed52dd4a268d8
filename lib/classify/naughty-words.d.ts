// The package has no types: a list of words and phrases per language code.
declare module "naughty-words" {
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
