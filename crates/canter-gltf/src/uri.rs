//! URIs: data inside the JSON, or paths of files.

use std::path::PathBuf;

use crate::resolver::Refusal;

/// A data URI in its parts.
#[derive(Debug)]
pub(crate) struct DataUri<'a> {
    /// The media type, empty if it is not given.
    pub(crate) mime: &'a str,
    base64: bool,
    payload: &'a str,
}

impl<'a> DataUri<'a> {
    /// The parts of a URI that starts with `data:`.
    pub(crate) fn parse(uri: &'a str) -> Option<Self> {
        let scheme = uri.get(..5)?;
        if !scheme.eq_ignore_ascii_case("data:") {
            return None;
        }
        let (header, payload) = uri[5..].split_once(',').unwrap_or((&uri[5..], ""));
        let (parameters, base64) = match header.strip_suffix(";base64") {
            Some(parameters) => (parameters, true),
            None => (header, false),
        };
        let mime = parameters.split(';').next().unwrap_or("");
        Some(Self { mime, base64, payload })
    }

    pub(crate) fn decode(&self) -> Result<Vec<u8>, Refusal> {
        if !self.base64 {
            return percent_decode(self.payload);
        }
        base64_decode(self.payload.as_bytes()).ok_or(Refusal::Malformed("its payload is not base64"))
    }

    /// About how many bytes [`Self::decode`] allocates.
    pub(crate) fn size(&self) -> u64 {
        self.payload.len() as u64
    }
}

/// The path that a relative URI means, if it stays below where it starts.
pub(crate) fn relative_path(uri: &str) -> Result<PathBuf, Refusal> {
    // A scheme, or the drive letter of another system.
    let first = uri.split(['/', '\\', '?', '#']).next().unwrap_or("");
    if first.contains(':') {
        return Err(if first.len() == 2 { Refusal::Absolute } else { Refusal::Url });
    }
    // Decoded before it is judged: `%2e%2e%2f` is `../`.
    let decoded =
        String::from_utf8(percent_decode(uri)?).map_err(|_| Refusal::Malformed("it is not UTF-8"))?;
    if decoded.contains('\0') {
        return Err(Refusal::Malformed("it has a zero byte"));
    }
    if decoded.starts_with(['/', '\\']) {
        return Err(Refusal::Absolute);
    }
    let mut path = PathBuf::new();
    // Exporters on Windows write backslashes, which are separators there and must be judged as such
    // everywhere.
    for part in decoded.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return Err(Refusal::Outside),
            _ if part.contains(':') => return Err(Refusal::Absolute),
            _ => path.push(part),
        }
    }
    if path.as_os_str().is_empty() {
        return Err(Refusal::Malformed("it is empty"));
    }
    Ok(path)
}

/// The text that [`DataUri::decode`] reads.
#[cfg(feature = "write")]
pub(crate) fn base64_encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for letter in 0..4 {
            let value = bits >> (18 - 6 * letter) & 63;
            text.push(if letter > chunk.len() { '=' } else { char::from(LETTERS[value as usize]) });
        }
    }
    text
}

/// A name of a file as a URI.
#[cfg(feature = "write")]
pub(crate) fn percent_encode(name: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Some exporters leave the padding out, and some do not clear the unused bits.
fn base64_decode(text: &[u8]) -> Option<Vec<u8>> {
    const NONE: u8 = 0xFF;
    const VALUES: [u8; 256] = {
        let mut values = [NONE; 256];
        let mut value = 0;
        while value < 64 {
            values[LETTERS[value as usize] as usize] = value;
            value += 1;
        }
        values
    };
    let padding = text.iter().rev().take(2).take_while(|&&letter| letter == b'=').count();
    let (fours, rest) = text[..text.len() - padding].as_chunks::<4>();
    let mut bytes = Vec::with_capacity(3 * fours.len() + 2);
    for letters in fours {
        let [a, b, c, d] = letters.map(|letter| VALUES[usize::from(letter)]);
        if (a | b | c | d) == NONE {
            return None;
        }
        bytes.extend_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
    }
    let value = |index: usize| rest.get(index).map_or(0, |letter| VALUES[usize::from(*letter)]);
    let [a, b, c] = [value(0), value(1), value(2)];
    match rest.len() {
        _ if (a | b | c) == NONE => return None,
        0 => {}
        2 => bytes.push(a << 2 | b >> 4),
        3 => bytes.extend_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2]),
        _ => return None,
    }
    Some(bytes)
}

fn percent_decode(text: &str) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = rest.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        // A sign would be accepted by the parser.
        let digits = digits.filter(|pair| pair.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let value = digits.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(value.ok_or(Refusal::Malformed("a % must be followed by two hexadecimal digits"))?);
        rest = &rest[2..];
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_uris_become_paths() {
        for (uri, path) in [
            ("model.bin", "model.bin"),
            ("./a/b%20c.bin", "a/b c.bin"),
            ("textures\\skin.png", "textures/skin.png"),
            ("%E3%81%82.bin", "あ.bin"),
        ] {
            assert_eq!(relative_path(uri).unwrap(), PathBuf::from(path), "{uri}");
        }
    }

    #[test]
    fn every_way_out_of_the_folder_is_refused() {
        for uri in [
            "../secret",
            "a/../../secret",
            "a/..",
            "%2e%2e/secret",
            "..%2fsecret",
            "%2e%2e%5csecret",
            "..\\secret",
            "/etc/passwd",
            "%2fetc%2fpasswd",
            "\\\\host\\share",
            "C:/x",
            "C:\\x",
            "a/C:x",
            "file:///etc/passwd",
            "http://example.com/a.bin",
            "//example.com/a.bin",
            "a%00b",
            "%ff.bin",
            "%",
            "%4",
            "%+1",
            "",
            ".",
            "./",
        ] {
            assert!(relative_path(uri).is_err(), "{uri}");
        }
    }

    #[test]
    fn data_uris_are_decoded() {
        for (uri, mime) in [
            ("data:application/octet-stream;base64,AAEC/w==", "application/octet-stream"),
            ("data:;base64,AAEC/w", ""),
            ("DATA:image/png;charset=x;base64,AAEC/x==", "image/png"),
            ("data:a/b,%00%01%02%ff", "a/b"),
        ] {
            let data = DataUri::parse(uri).unwrap();
            assert_eq!((data.mime, data.decode().unwrap()), (mime, vec![0, 1, 2, 255]), "{uri}");
        }
        assert!(DataUri::parse("data:;base64,?!").unwrap().decode().is_err());
        assert!(DataUri::parse("model.bin").is_none());
    }
}
