/// A suite of tests of a small table of trades.
@MainActor protocol TradesSuite {}

extension TradesSuite {
    static var trades: String {
        """
        id,sector,side,price
        1,Tech,BUY,10.5
        2,Energy,SELL,7.25
        3,Tech,SELL,1234.5
        4,Energy,BUY,
        5,Health,BUY,99
        6,Tech,BUY,10.5
        """
    }
}
