//! What a host has logged.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::sync::watch;
use tokio::time::timeout;

/// Collects a program's output for as long as the program runs. It keeps the pipe empty, so that the program is never
/// held up by it.
pub struct Log {
    text: watch::Receiver<String>,
}

impl Log {
    /// Starts collecting.
    pub fn of(output: impl AsyncRead + Unpin + Send + 'static) -> Self {
        let (sender, text) = watch::channel(String::new());
        let mut lines = BufReader::new(output).lines();
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                sender.send_modify(|text| {
                    text.push_str(&line);
                    text.push('\n');
                });
            }
        });
        Self { text }
    }

    /// Everything so far, a line break after each line.
    #[must_use]
    pub fn text(&self) -> String {
        self.text.borrow().clone()
    }

    /// Waits until `find` finds something in the text. Nothing, if the output ends or `limit` is over before that.
    pub async fn wait_for<T>(&self, limit: Duration, find: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut text = self.text.clone();
        let found = timeout(limit, text.wait_for(|text| find(text).is_some())).await.ok()?.ok()?;
        find(&found)
    }
}
