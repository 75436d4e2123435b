//! A display without a screen: Xvfb.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConfigureWindowAux, ConnectionExt as _, ImageFormat,
    InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

pub(crate) struct Desktop {
    server: Child,
    name: String,
    connection: RustConnection,
    root: u32,
}

/// What is on the display: rows of blue, green, red and nothing.
pub(crate) struct Picture {
    pixels: Vec<u8>,
    size: [usize; 2],
}

impl Desktop {
    /// `None` where there is no Xvfb, which `cargo xtask test` installs.
    pub(crate) fn start() -> Option<Self> {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]);
        let Ok(mut server) = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
            canter_testing::requirement::skip("there is no Xvfb", "the window is");
            return None;
        };
        // It says its number when it is ready.
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        let (connection, screen) = x11rb::connect(Some(&name)).unwrap();
        let root = connection.setup().roots[screen].root;
        Some(Self { server, name, connection, root })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The window of the program, once it has a title.
    pub(crate) fn window(&self) -> Option<u32> {
        let windows = self.connection.query_tree(self.root).unwrap().reply().unwrap().children;
        windows.into_iter().find(|&window| self.title(window).ends_with("Canter"))
    }

    /// The title of a window; empty if it has none.
    pub(crate) fn title(&self, window: u32) -> String {
        let name = self.connection.intern_atom(false, b"_NET_WM_NAME").unwrap().reply().unwrap().atom;
        let property = self.connection.get_property(false, window, name, AtomEnum::ANY, 0, 1000).unwrap();
        property
            .reply()
            .map_or_else(|_| String::new(), |reply| String::from_utf8_lossy(&reply.value).into_owned())
    }

    pub(crate) fn size(&self, window: u32) -> [i16; 2] {
        let geometry = self.connection.get_geometry(window).unwrap().reply().unwrap();
        [geometry.width, geometry.height].map(|side| i16::try_from(side).unwrap())
    }

    pub(crate) fn resize(&self, window: u32, [width, height]: [u32; 2]) {
        let size = ConfigureWindowAux::new().x(0).y(0).width(width).height(height);
        self.connection.configure_window(window, &size).unwrap().check().unwrap();
    }

    /// Without a window manager nobody else gives the keyboard to a window.
    pub(crate) fn focus(&self, window: u32) {
        self.connection.set_input_focus(InputFocus::PARENT, window, 0_u32).unwrap().check().unwrap();
    }

    /// Presses the key with a symbol.
    pub(crate) fn key(&self, symbol: u32) {
        let setup = self.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let map = self.connection.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let place = map.keysyms.iter().position(|&known| known == symbol).expect("the keyboard has it");
        let code = first + u8::try_from(place / usize::from(map.keysyms_per_keycode)).unwrap();
        self.fake(KEY_PRESS_EVENT, code, [0, 0]);
        self.fake(KEY_RELEASE_EVENT, code, [0, 0]);
    }

    pub(crate) fn move_pointer(&self, at: [i16; 2]) {
        self.fake(MOTION_NOTIFY_EVENT, 0, at);
        // A pointer that has just come is noticed in the next frame.
        std::thread::sleep(std::time::Duration::from_millis(200));
    }

    pub(crate) fn button(&self, is_down: bool) {
        self.fake(if is_down { BUTTON_PRESS_EVENT } else { BUTTON_RELEASE_EVENT }, 1, [0, 0]);
    }

    fn fake(&self, kind: u8, detail: u8, [x, y]: [i16; 2]) {
        self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).unwrap().check().unwrap();
    }

    pub(crate) fn picture(&self) -> Picture {
        let geometry = self.connection.get_geometry(self.root).unwrap().reply().unwrap();
        let (width, height) = (geometry.width, geometry.height);
        let image =
            self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, 0, 0, width, height, !0).unwrap();
        Picture { pixels: image.reply().unwrap().data, size: [usize::from(width), usize::from(height)] }
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Picture {
    /// How many pixels are of a kind; colours are red, green, blue.
    pub(crate) fn count(&self, is_it: fn([i32; 3]) -> bool) -> usize {
        self.pixels
            .chunks_exact(4)
            .filter(|pixel| is_it([pixel[2], pixel[1], pixel[0]].map(i32::from)))
            .count()
    }

    /// How much of the middle of the picture is of a kind, from 0 to 1; colours are red, green, blue.
    pub(crate) fn share_in_the_middle(&self, is_it: fn([i32; 3]) -> bool) -> f32 {
        let [width, height] = self.size;
        let mut count = 0_u32;
        for row in height / 5..height * 3 / 5 {
            for pixel in
                self.pixels[row * width * 4..][..width * 4].chunks_exact(4).skip(width / 4).take(width / 3)
            {
                count += u32::from(is_it([pixel[2], pixel[1], pixel[0]].map(i32::from)));
            }
        }
        count as f32 / (width / 3 * (height * 2 / 5)) as f32
    }
}
