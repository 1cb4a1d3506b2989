//! The guides in `docs/`, whose code is compiled and run as tests of this crate.

macro_rules! guides {
    ($($name:ident: $path:literal;)+) => {$(
        #[doc = include_str!(concat!("../../docs/", $path))]
        struct $name;
    )+};
}

guides! {
    FirstHandler: "first-handler.md";
    InteractiveHandlers: "interactive-handlers.md";
    Forms: "forms.md";
    Progress: "progress.md";
    Once: "once.md";
    Testing: "testing.md";
}
