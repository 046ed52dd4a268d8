"use client";
import { useSearchParams } from "next/navigation";
import { useState } from "react";

/**
 * Whether a window is open: opened here, or asked for by the address (`?add=1`), so that other places can lead straight
 * into it. Closing takes it out of the address again.
 * @param name of the parameter; "" for a window that no address asks for
 */
export function useAskedFor(name: string): [open: boolean, setOpen: (open: boolean) => void] {
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
