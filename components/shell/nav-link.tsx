import NextLink from "next/link";
import { useState, type ComponentProps } from "react";

/** Prefetches on hover or focus instead of with every page. */
export function NavLink(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  const [near, setNear] = useState(false);
  const come = () => setNear(true);
  return <NextLink prefetch={near ? null : false} onPointerEnter={come} onFocus={come} {...props} />;
}
