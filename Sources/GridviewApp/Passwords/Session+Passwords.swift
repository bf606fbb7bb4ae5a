import Tables

extension Session {
    /// Asks for the password of the current sheet's input. Stops asking after `PasswordNeeded.attemptLimit` passwords.
    func ask(for request: PasswordNeeded) {
        guard sheet.passwordAttempts < PasswordNeeded.attemptLimit else { return stopAsking(request) }
        sheet.passwordRequest = request
        send(.passwordNeeded(account: request.account, reason: request.message, wasPasswordRefused: request.wasPasswordRefused))
    }

    /// Opens the current sheet's input again, with this password.
    func supply(password: String) {
        guard let request = sheet.passwordRequest else { return }
        sheet.passwordRequest = nil
        sheet.passwordAttempts += 1
        request.supply(password)
        reload()
    }

    /// Leaves the input unopened, because the user gave no password. Shows a message with the remedy.
    func declinePassword() {
        guard let request = sheet.passwordRequest else { return }
        stopAsking(request, closesSheet: true)
    }

    private func stopAsking(_ request: PasswordNeeded, closesSheet: Bool = false) {
        (sheet.passwordRequest, sheet.passwordAttempts) = (nil, 0)
        request.supply(nil)
        if sheet.openInput == nil { return send(.show(.openingFailed(request.message))) }
        guard closesSheet, state.sheets.count > 1 else { return failOpening(request) }
        send(.openingCancelled(.openingFailed(request.message)))
    }
}
