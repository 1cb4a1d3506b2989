//! The real binary in a terminal, with a user at it.

use std::io::{Read as _, Write as _};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::target;

/// How long to wait for something to appear. Much, for machines that do other things besides.
const LIMIT: Duration = Duration::from_secs(30);

/// What a user types.
pub mod key {
    /// Enter.
    pub const ENTER: &str = "\r";
    /// Escape.
    pub const ESCAPE: &str = "\x1b";
    /// The arrow down.
    pub const DOWN: &str = "\x1b[B";
    /// Backspace.
    pub const BACK: &str = "\x7f";
    /// Ctrl-C.
    pub const INTERRUPT: &str = "\x03";
}

/// The binary, run in a terminal of 100 columns and 50 lines. Dropping it ends the process.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    // Held, for the terminal goes when it does.
    _master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn std::io::Write + Send>,
    state: Arc<Mutex<State>>,
}

struct State {
    screen: vt100::Parser,
    raw: Vec<u8>,
}

impl Terminal {
    /// Runs `dacapo` with these arguments.
    ///
    /// Panics where there is no terminal to be had.
    #[must_use]
    pub fn run<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        let size = PtySize { rows: 50, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal can be made");
        let mut command = CommandBuilder::new(target::host_binary());
        command.args(arguments);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("DACAPO_")) {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        drop(pair.slave);
        let state = Arc::new(Mutex::new(State { screen: vt100::Parser::new(50, 100, 200), raw: Vec::new() }));
        let mut output = pair.master.try_clone_reader().expect("the terminal can be read");
        let shown = Arc::clone(&state);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let mut state = shown.lock().expect("no reader panics");
                state.screen.process(&bytes[..count]);
                state.raw.extend_from_slice(&bytes[..count]);
            }
        });
        let keyboard = pair.master.take_writer().expect("the terminal can be written");
        Self { child, _master: pair.master, keyboard, state }
    }

    /// What stands on the screen.
    ///
    /// Panics where reading the terminal has.
    #[must_use]
    pub fn screen(&self) -> String {
        self.state.lock().expect("no reader panics").screen.screen().contents()
    }

    /// All that was written to the terminal, control characters included.
    ///
    /// Panics where reading the terminal has.
    #[must_use]
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.state.lock().expect("no reader panics").raw).into_owned()
    }

    /// Waits until the screen shows `text`.
    ///
    /// Panics, with the screen, where it does not.
    pub fn wait_for(&self, text: &str) {
        let start = Instant::now();
        while !self.screen().contains(text) {
            assert!(start.elapsed() < LIMIT, "no \"{text}\" on the screen:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types.
    ///
    /// Panics where the terminal is gone.
    pub fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).and_then(|()| self.keyboard.flush()).expect("the terminal takes keys");
    }

    /// Waits for the prompt `label`, types, and presses Enter.
    pub fn answer(&mut self, label: &str, typed: &str) {
        self.wait_for(&format!("? {label}"));
        self.types(typed);
        self.types(key::ENTER);
    }

    /// Waits for the end, and returns the exit code.
    ///
    /// Panics, with the screen, where there is none.
    pub fn exit_code(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child process can be waited for") {
                // What it wrote last may still be on its way here.
                std::thread::sleep(Duration::from_millis(200));
                return status.exit_code();
            }
            assert!(start.elapsed() < LIMIT, "the command does not end:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}
