"""The program: gadget-run."""

import argparse


def parse_arguments():
    parser = argparse.ArgumentParser("gadget-run")
    parser.add_argument("--input-dir", help="where the frames are")
    parser.add_argument("--tile-size", type=int, default=64)
    parser.add_argument("--batch-tiles", type=int, default=32)
    parser.add_argument("--use-fp8", action="store_true")
    parser.add_argument("--dump-graph", metavar="FILE")
    parser.add_argument("--log-every", type=int, default=100)
    return parser.parse_args()
