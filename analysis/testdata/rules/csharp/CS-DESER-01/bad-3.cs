using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var bytes = Convert.FromBase64String(Request.Cookies["cart"]);
    var serializer = new NetDataContractSerializer();
    var cart = serializer.Deserialize(new MemoryStream(bytes)); // ← here
    return Ok(cart);
  }
}
