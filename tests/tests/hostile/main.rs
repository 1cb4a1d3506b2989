//! Handlers that mean harm. Each is ended or refused with an error that names what it did, and right after the host serves
//! others as before.
//!
//! # Layout
//!
//! - `scene`: a host with a well-behaved handler and a hostile one
//! - `raw`: components whose core module is written by hand
//! - `resources`: those that take time, memory, tables or the stack
//! - `endings`: those that end in another way than by returning
//! - `results`: those that lie about what they return
//! - `questions`: those that ask and ask, or try to ask differently
//! - `reports`: those that report and report
//! - `reach`: those that look for what is outside
//! - `uploads`: those that are refused when they are uploaded
//! - `crowd`: all of them at once

mod crowd;
mod endings;
mod questions;
mod raw;
mod reach;
mod reports;
mod resources;
mod results;
mod scene;
mod uploads;
