class ItemsController < ApplicationController
  def show
    @node = doc.xpath("//user[@name='#{params[:name]}']") # ← here
  end
end
