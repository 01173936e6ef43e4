using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var type = Type.GetType("Shop.Order");
    return Ok(Activator.CreateInstance(type));
  }
}
