"use client";

import ReactMarkdown, { type Components } from "react-markdown";

// Text of tasks is never trusted: HTML in it stays text, a link says where it goes and leaves no
// trace of this page, and an image is a link, because fetching it would tell its host of a reader.
const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a
        href={href}
        title={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-link underline underline-offset-2"
      >
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => {
    const text = `Image: ${alt || String(src ?? "")}`;
    return typeof src === "string" && src !== "" ? (
      <a
        href={src}
        title={src}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-link underline underline-offset-2"
      >
        {text}
      </a>
    ) : (
      <span>{text}</span>
    );
  },
  p: ({ children }) => <p className="task-text not-last:mb-2">{children}</p>,
  // Headings in a prompt are set off, but are none of this page's headings.
  h1: ({ children }) => <Heading>{children}</Heading>,
  h2: ({ children }) => <Heading>{children}</Heading>,
  h3: ({ children }) => <Heading>{children}</Heading>,
  h4: ({ children }) => <Heading>{children}</Heading>,
  h5: ({ children }) => <Heading>{children}</Heading>,
  h6: ({ children }) => <Heading>{children}</Heading>,
  ul: ({ children }) => <ul className="list-disc pl-5 not-last:mb-2">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="list-decimal pl-6 not-last:mb-2">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="task-text my-0.5">{children}</li>,
  blockquote: ({ children }) => (
    <blockquote className="border-line-strong border-s-2 ps-3 text-ink-2 not-last:mb-2">
      {children}
    </blockquote>
  ),
  pre: ({ children }) => (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-md bg-sunken p-2.5 font-mono text-sm not-last:mb-2 [&_code]:bg-transparent [&_code]:p-0"
    >
      {children}
    </pre>
  ),
  code: ({ children }) => (
    <code dir="ltr" className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.92em]">
      {children}
    </code>
  ),
  hr: () => <hr className="my-3" />,
};

function Heading({ children }: { children?: React.ReactNode }) {
  return <p className="task-text mb-1 font-semibold not-first:mt-3">{children}</p>;
}

/** Renders Markdown of unknown origin. */
export default function Markdown({ text }: { text: string }) {
  return <ReactMarkdown components={components}>{text}</ReactMarkdown>;
}
