import Benchmark
import TerminalSurface

/// Encoding of frames of 240×67 cells, about the largest window in common use.
func frameBenchmarks() {
    let size = TerminalSize(columns: 240, rows: 67)
    func frame(_ first: Int) -> CellBuffer {
        var frame = CellBuffer(size: size)
        for y in 0..<size.rows {
            let n = first + y
            for x in stride(from: 0, to: size.columns, by: 12) { frame.write("\(n * 7_919 + x)", x: x, y: y, width: 11) }
        }
        return frame
    }
    for (name, step) in [("nothing changed", 0), ("a line down", 1), ("everything changed", 1_000)] {
        let frames = [frame(0), frame(step)]
        Benchmark("frames: \(name), 240×67") { benchmark in
            var encoder = FrameEncoder(capabilities: .xterm)
            _ = encoder.encode(frames[0])
            benchmark.startMeasurement()
            blackHole(encoder.encode(frames[1]))
        }
    }
    Benchmark("frames: draw, 240×67") { _ in blackHole(frame(0)) }
}
