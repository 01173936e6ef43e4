class ItemsController < ApplicationController
  def show
    @doc = Nokogiri::XML(params[:xml])
  end
end
