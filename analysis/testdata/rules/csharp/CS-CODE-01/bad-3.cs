using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var type = Type.GetType(Request.Query["type"]); // ← here
    return Ok(Activator.CreateInstance(type));
  }
}
