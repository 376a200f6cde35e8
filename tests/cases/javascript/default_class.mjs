export default class Named extends Base {}
