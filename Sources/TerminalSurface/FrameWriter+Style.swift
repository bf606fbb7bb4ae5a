extension FrameWriter {
    @inline(__always)
    mutating func setStyle(_ target: ScreenStyle) {
        if style != target { changeStyle(to: target) }
    }

    /// Activates the attributes and colors of `target` that are visible on a blank: its background and its underline or similar lines.
    /// The foreground may stay different.
    @inline(__always)
    mutating func setStyle(forBlank target: ScreenStyle) {
        if let style, style.canWrite(blank: target) { return }
        setStyle(target)
    }

    private mutating func changeStyle(to target: ScreenStyle) {
        let old = style
        style = target
        styleChanges += 1
        guard target.bits != 0 else { return bytes.append(csi: 0x6D) }
        guard let old else { return appendWholeStyle(target) }
        let start = bytes.count
        appendStyleDifference(from: old, to: target)
        // Writing the whole style can be shorter only if the change removes attributes or colors.
        let removesParts =
            !old.attributes.isSubset(of: target.attributes)
            || (target.foreground == .terminalDefault && old.foreground != target.foreground)
            || (target.background == .terminalDefault && old.background != target.background)
        guard removesParts else { return }
        let middle = bytes.count
        appendWholeStyle(target)
        if bytes.count - middle < middle - start {
            bytes.removeSubrange(start..<middle)
        } else {
            bytes.removeSubrange(middle...)
        }
    }

    private mutating func appendWholeStyle(_ target: ScreenStyle) {
        bytes.append(contentsOf: [0x1B, 0x5B, 0x30, 0x3B])
        appendEnabledAttributes(target.attributes)
        if target.foreground != .terminalDefault { append(target.foreground, base: 30) }
        if target.background != .terminalDefault { append(target.background, base: 40) }
        bytes[bytes.count - 1] = 0x6D
    }

    private mutating func appendStyleDifference(from old: ScreenStyle, to target: ScreenStyle) {
        bytes.append(0x1B)
        bytes.append(0x5B)
        let removed = old.attributes.subtracting(target.attributes)
        var added = target.attributes.subtracting(old.attributes)
        if !removed.isDisjoint(with: [.bold, .dim]) {
            append(parameter: 22)
            added.formUnion(target.attributes.intersection([.bold, .dim]))
        }
        if removed.contains(.italic) { append(parameter: 23) }
        if removed.contains(.underline) { append(parameter: 24) }
        if removed.contains(.reverse) { append(parameter: 27) }
        if removed.contains(.strikethrough) { append(parameter: 29) }
        appendEnabledAttributes(added)
        if old.foreground != target.foreground { append(target.foreground, base: 30) }
        if old.background != target.background { append(target.background, base: 40) }
        bytes[bytes.count - 1] = 0x6D
    }

    private mutating func appendEnabledAttributes(_ attributes: TextAttributes) {
        guard !attributes.isEmpty else { return }
        if attributes.contains(.bold) { append(parameter: 1) }
        if attributes.contains(.dim) { append(parameter: 2) }
        if attributes.contains(.italic) { append(parameter: 3) }
        if attributes.contains(.underline) { append(parameter: 4) }
        if attributes.contains(.reverse) { append(parameter: 7) }
        if attributes.contains(.strikethrough) { append(parameter: 9) }
    }

    /// Appends the SGR parameters of a color. `base` is 30 for the foreground, 40 for the background.
    private mutating func append(_ color: ScreenColor, base: Int) {
        if color == .terminalDefault {
            append(parameter: base + 9)
        } else if color.isPalette {
            let index = Int(color.value)
            if index < 8 {
                append(parameter: base + index)
            } else if index < 16 {
                append(parameter: base + 60 + index - 8)
            } else {
                append(parameter: base + 8)
                append(parameter: 5)
                append(parameter: index)
            }
        } else {
            append(parameter: base + 8)
            append(parameter: 2)
            append(parameter: Int(color.value >> 16))
            append(parameter: Int(color.value >> 8 & 0xFF))
            append(parameter: Int(color.value & 0xFF))
        }
    }

    private mutating func append(parameter: Int) {
        bytes.append(decimal: parameter)
        bytes.append(0x3B)
    }
}
