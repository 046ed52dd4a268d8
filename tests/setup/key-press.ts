const nothing = {
  key: "a",
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  defaultPrevented: false,
};

/** A press of a key without modifiers, except for what is given. */
export const keyPress = (given: Partial<KeyboardEvent>) => ({ ...nothing, ...given });
