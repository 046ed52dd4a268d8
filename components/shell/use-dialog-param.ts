import { useSearchParams } from "next/navigation";
import { useState } from "react";

/**
 * State of a dialog that the address can open (`?add=1`).
 *
 * @param name name of the parameter; "" for none
 */
export function useDialogParam(name: string): [open: boolean, setOpen: (open: boolean) => void] {
  const asked = useSearchParams().get(name) === "1";
  const [opened, setOpened] = useState(false);
  const setOpen = (open: boolean) => {
    setOpened(open);
    if (open || !asked) return;
    const address = new URL(window.location.href);
    address.searchParams.delete(name);
    window.history.replaceState(null, "", address.pathname + address.search);
  };
  return [opened || asked, setOpen];
}
