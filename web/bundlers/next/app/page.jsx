'use client';

import { useEffect } from 'react';

import { walk } from '../../walk.js';

export default function Page() {
  useEffect(() => {
    walk().then((matrices) => (globalThis.matrices = matrices));
  }, []);
  return <p>The hero walks.</p>;
}
