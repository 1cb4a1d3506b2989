//! What must not compile, and what the author is told.

#[test]
fn mistakes_are_explained() {
    trybuild::TestCases::new().compile_fail("tests/compile-fail/*.rs");
}
