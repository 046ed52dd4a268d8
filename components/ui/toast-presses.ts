/** Milliseconds within which a release is followed by its click, on touch screens too. */
const CLICK_FOLLOWS = 300;

/**
 * Keeps messages out of a press that began beside them. One that slides in between press and release would get the
 * release, and then nothing has been clicked.
 * @param region what holds the messages
 * @returns what ends it
 */
export function letPressesThrough(region: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const own = () => {
    clearTimeout(timer);
    region.style.pointerEvents = "";
  };
  const press = ({ target }: Event) => {
    own();
    if (!(target instanceof Node && region.contains(target))) region.style.pointerEvents = "none";
  };
  // A press that moved away, or on what is disabled, has no click.
  const release = () => {
    clearTimeout(timer);
    timer = setTimeout(own, CLICK_FOLLOWS);
  };
  const listeners = { pointerdown: press, pointerup: release, pointercancel: release, click: own };
  for (const [event, listener] of Object.entries(listeners)) window.addEventListener(event, listener, true);
  return () => {
    for (const [event, listener] of Object.entries(listeners))
      window.removeEventListener(event, listener, true);
    own();
  };
}
