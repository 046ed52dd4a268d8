"use client";
import NextLink from "next/link";
import { useState, type ComponentProps } from "react";

/**
 * A link to a place of the navigation. What the place shows first is fetched when somebody is about to go there; for
 * every place on every page it would be a dozen requests that nobody asked for.
 */
export function PlaceLink(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  const [near, setNear] = useState(false);
  const come = () => setNear(true);
  return <NextLink prefetch={near ? null : false} onPointerEnter={come} onFocus={come} {...props} />;
}
