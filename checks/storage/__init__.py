"""MLPerf Storage: the layout of its trees and every rule of its submission validation document."""
