import { words } from "#components/words/en.ts";

/**
 * Gives names to what the reference's program leaves without one, now and whenever it draws something new: buttons
 * that copy, and fields for a value, which call themselves lists and do not say whether they are open.
 * @returns what ends it
 */
export function nameControls(place: HTMLElement): () => void {
  const name = () => {
    for (const button of place.querySelectorAll(".scalar-code-copy:not([aria-label])")) {
      button.setAttribute("aria-label", words.docs.copy);
    }
    for (const field of place.querySelectorAll(".code-input-lite__editor:not([aria-label])")) {
      field.setAttribute("aria-label", field.getAttribute("data-placeholder") ?? words.docs.value);
      if (!field.hasAttribute("aria-expanded")) field.setAttribute("aria-expanded", "false");
    }
  };
  const observer = new MutationObserver(name);
  observer.observe(place, { childList: true, subtree: true });
  name();
  return () => observer.disconnect();
}
