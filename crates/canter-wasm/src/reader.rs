//! Reads what JavaScript writes: numbers are little-endian, texts and lists begin with their length.
//!
//! `packages/canter/src/motion/writer.ts` writes it. What is cut off reads as zeros and empty lists: nothing here
//! fails or panics.

/// A place in bytes that JavaScript wrote.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk::<N>() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => {
                self.0 = &[];
                [0; N]
            }
        }
    }

    pub(crate) fn number(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub(crate) fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }

    pub(crate) fn double(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.number() != 0
    }

    pub(crate) fn text(&mut self) -> String {
        let len = self.number() as usize;
        let (text, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    /// Items take at least a number each, so that a length cannot ask for more memory than there are bytes.
    pub(crate) fn list<T>(&mut self, item: &mut dyn FnMut(&mut Self) -> T) -> Vec<T> {
        let len = self.number() as usize;
        let mut list = Vec::new();
        while list.len() < len && !self.0.is_empty() {
            list.push(item(self));
        }
        list
    }

    pub(crate) fn option<T>(&mut self, item: &mut dyn FnMut(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| item(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_reads_as_nothing() {
        let mut bytes = Vec::new();
        bytes.extend(2_u32.to_le_bytes());
        for text in ["walk", ""] {
            bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(0.5_f64.to_le_bytes());
        let read = |bytes: &[u8]| {
            let mut reader = Reader::new(bytes);
            (reader.list(&mut Reader::text), reader.option(&mut Reader::double))
        };
        assert_eq!(read(&bytes), (vec!["walk".to_owned(), String::new()], Some(0.5)));
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len]).0.len() <= 2);
        }
        assert!(Reader::new(&[255; 4]).list(&mut Reader::number).is_empty());
    }
}
