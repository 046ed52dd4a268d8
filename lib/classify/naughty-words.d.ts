// The package has no types. It maps a language code to a list of words and phrases.
declare module "naughty-words" {
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
