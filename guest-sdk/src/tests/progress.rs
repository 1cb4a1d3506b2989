//! What of progress is checked before the host sees it.

use crate::prelude::*;

#[test]
fn a_fraction_is_from_0_to_1() {
    let progress = Context::new().percent_progress();
    for wrong in [-0.1, 1.1, f64::INFINITY] {
        assert_eq!(progress.emit(wrong), Err(ProgressError::NotAFraction { progress: wrong }));
    }
    let error = progress.emit_with(f64::NAN, "half way").unwrap_err();
    assert_eq!(error.to_string(), "NaN is no fraction; expected a number from 0 to 1");
}
