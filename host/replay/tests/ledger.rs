//! The promises of the ledger, for any conversation.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test")]

mod conversations;

use conversations::any_script;
use dacapo_replay::{Ledger, Stop};
use proptest::prelude::*;

/// What a ledger is after a journey.
fn travelled(ledger: &Ledger) -> Ledger {
    postcard::from_bytes(&postcard::to_allocvec(ledger).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn any_ledger_comes_back_from_its_journey_as_it_was(script in any_script()) {
        let ledger = script.ledger();
        prop_assert_eq!(&travelled(&ledger), &ledger);
    }

    #[test]
    fn a_run_goes_the_same_way_whether_its_ledger_has_travelled_or_not(script in any_script()) {
        let ledger = script.ledger();
        let (here, there) = (script.run(ledger.clone()), script.run(travelled(&ledger)));
        prop_assert_eq!(&here, &there);
        // A ledger that was worked out already is not added to.
        prop_assert_eq!(&here.1, &ledger);
        prop_assert!(!matches!(here.0, Some(Stop::Diverged(_))), "{:?}", here.0);
    }

    #[test]
    fn what_is_cut_short_is_no_ledger(script in any_script(), at in any::<prop::sample::Index>()) {
        let written = postcard::to_allocvec(&script.ledger()).unwrap();
        prop_assert!(postcard::from_bytes::<Ledger>(&written[..at.index(written.len())]).is_err());
    }
}
