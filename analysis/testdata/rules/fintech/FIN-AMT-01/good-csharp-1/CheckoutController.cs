using Microsoft.AspNetCore.Mvc;

namespace Shop;

public class CheckoutController(PaystackClient paystack, ShopContext db) : ControllerBase
{
  [HttpPost("orders/{id}/checkout")]
  public async Task<IActionResult> Checkout(int id, [FromBody] CheckoutRequest request)
  {
    var order = await db.Orders.FindAsync(id);
    var payment = await paystack.InitializeTransaction(order.Email, order.TotalMinor);
    return Ok(payment);
  }
}
